// Certificates for tests of TLS: an authority and the certificates that it signs. The files are
// deleted with the object.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

namespace parley::http::client {

class TestAuthority {
public:
    struct Files {
        std::string certificate;
        std::string key;
    };

    TestAuthority()
    {
        std::string name = (std::filesystem::temp_directory_path() / "parley-tls-XXXXXX").string();
        check(::mkdtemp(name.data()) != nullptr);
        folder_ = name;
        X509* own = own_.get();
        X509_set_issuer_name(own, X509_get_subject_name(own));
        add_extension(own, NID_basic_constraints, "critical,CA:TRUE");
        add_extension(own, NID_key_usage, "critical,keyCertSign");
        add_extension(own, NID_subject_key_identifier, "hash");
        check(X509_sign(own, key_.get(), EVP_sha256()) != 0);
        write(certificate(), own);
    }
    TestAuthority(const TestAuthority&) = delete;
    TestAuthority& operator=(const TestAuthority&) = delete;
    ~TestAuthority()
    {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    // The certificate of the authority, for clients that trust it.
    std::string certificate() const { return (folder_ / "authority.pem").string(); }

    // `names` is a subjectAltName, e.g. "DNS:localhost,IP:127.0.0.1". Empty: only the common name,
    // "localhost". Valid for that many days; below 0 it has expired.
    Files issue(const std::string& names, int days = 1)
    {
        const std::string number = std::to_string(++issued_);
        Files files{.certificate = (folder_ / (number + ".pem")).string(),
                    .key = (folder_ / (number + ".key")).string()};
        const Key key(EVP_EC_gen("P-256"));
        const Certificate certificate = make("localhost", key.get(), issued_ + 1, days);
        X509_set_issuer_name(certificate.get(), X509_get_subject_name(own_.get()));
        if (!names.empty()) add_extension(certificate.get(), NID_subject_alt_name, names.c_str());
        check(X509_sign(certificate.get(), key_.get(), EVP_sha256()) != 0);
        write(files.certificate, certificate.get());
        write(files.key, key.get());
        return files;
    }

private:
    struct Freed {
        void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
        void operator()(X509* certificate) const { X509_free(certificate); }
        void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    using Key = std::unique_ptr<EVP_PKEY, Freed>;
    using Certificate = std::unique_ptr<X509, Freed>;
    using Extension = std::unique_ptr<X509_EXTENSION, Freed>;
    using File = std::unique_ptr<std::FILE, Freed>;

    static void check(bool succeeded)
    {
        if (!succeeded) throw std::runtime_error("cannot make a certificate");
    }

    // Not signed yet.
    static Certificate make(const char* name, EVP_PKEY* key, long serial, int days)
    {
        constexpr long day = 24L * 3600;
        Certificate made(X509_new());
        X509_set_version(made.get(), X509_VERSION_3);
        ASN1_INTEGER_set(X509_get_serialNumber(made.get()), serial);
        X509_gmtime_adj(X509_getm_notBefore(made.get()), -2 * day);
        X509_gmtime_adj(X509_getm_notAfter(made.get()), days * day);
        X509_set_pubkey(made.get(), key);
        const auto* text = reinterpret_cast<const unsigned char*>(name);
        check(X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_ASC,
                                         text, -1, -1, 0) == 1);
        return made;
    }

    void add_extension(X509* certificate, int kind, const char* value)
    {
        X509V3_CTX context;
        X509V3_set_ctx(&context, own_.get(), certificate, nullptr, nullptr, 0);
        const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value));
        check(extension && X509_add_ext(certificate, extension.get(), -1) == 1);
    }

    static void write(const std::string& path, X509* certificate)
    {
        const File file(std::fopen(path.c_str(), "w"));
        check(file && PEM_write_X509(file.get(), certificate) == 1);
    }
    static void write(const std::string& path, EVP_PKEY* key)
    {
        const File file(std::fopen(path.c_str(), "w"));
        check(file &&
              PEM_write_PrivateKey(file.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1);
    }

    std::filesystem::path folder_;
    Key key_{EVP_EC_gen("P-256")};
    Certificate own_ = make("Parley test authority", key_.get(), 1, 1);
    int issued_ = 0;
};

}  // namespace parley::http::client
