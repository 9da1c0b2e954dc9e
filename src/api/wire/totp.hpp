// Requests and responses of second factors.
#pragma once

#include "api/wire/user.hpp"

#include <cstdint>
#include <vector>

namespace parley::api {

// A code of an authenticator app, or a recovery code.
inline constexpr auto second_factor_length = fields::length(1, 64);

struct TotpPasswordBody {
    std::string password;

    static constexpr fields::SchemaInfo schema_info{"NewSecondFactor", "The current password."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("password", &TotpPasswordBody::password, "The current password.",
                                length(0, 1024), example("correct horse battery staple")));
    }
};

struct TotpCodeBody {
    std::string code;

    static constexpr fields::SchemaInfo schema_info{"SecondFactorCode",
                                                    "A code of the authenticator app."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("code", &TotpCodeBody::code, "Code of the authenticator app.",
                                second_factor_length, example("123456")));
    }
};

struct TotpOwnerBody {
    std::string password;
    std::string code;

    static constexpr fields::SchemaInfo schema_info{"SecondFactorOwner",
                                                    "The current password and a code."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = TotpOwnerBody;
        return std::tuple(
            field("password", &This::password, "The current password.", length(0, 1024),
                  example("correct horse battery staple")),
            field("code", &This::code, "Code of the authenticator app, or a recovery code.",
                  second_factor_length, example("123456")));
    }
};

struct TotpEnrolmentView {
    std::string object = "totp.enrolment";
    std::string secret;
    std::string uri;

    static constexpr fields::SchemaInfo schema_info{
        "SecondFactorEnrolment", "A key for an authenticator app; shown only once."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = TotpEnrolmentView;
        return std::tuple(
            field("object", &View::object, "Always `totp.enrolment`.", one_of("totp.enrolment")),
            field("secret", &View::secret, "The key in base 32, to be typed into the app.",
                  example("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")),
            field("uri", &View::uri, "The same as an address for a QR code.",
                  example("otpauth://totp/Parley:ana?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                          "&issuer=Parley&algorithm=SHA1&digits=6&period=30")));
    }
};

struct RecoveryCodesView {
    std::string object = "totp.recovery_codes";
    std::vector<std::string> recovery_codes;

    static constexpr fields::SchemaInfo schema_info{"RecoveryCodes",
                                                    "Recovery codes; shown only once."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = RecoveryCodesView;
        return std::tuple(field("object", &View::object, "Always `totp.recovery_codes`.",
                                one_of("totp.recovery_codes")),
                          field("recovery_codes", &View::recovery_codes,
                                "Ten codes. Each replaces a code of the app one time."));
    }
};

struct TotpView {
    std::string object = "totp";
    bool enabled = false;
    std::int64_t recovery_codes_left = 0;

    static constexpr fields::SchemaInfo schema_info{"SecondFactor",
                                                    "The state of your second factor."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = TotpView;
        return std::tuple(field("object", &View::object, "Always `totp`.", one_of("totp")),
                          field("enabled", &View::enabled, "Whether logging in needs a code."),
                          field("recovery_codes_left", &View::recovery_codes_left,
                                "Recovery codes that have not been used.", example(10)));
    }
};

}  // namespace parley::api
