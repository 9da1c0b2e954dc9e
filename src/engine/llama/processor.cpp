#include "engine/llama/processor.hpp"

#include <ggml-cpu.h>

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace parley::engine::llama {

std::string_view lacking_instructions()
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (ggml_cpu_has_avx() != 0 && !__builtin_cpu_supports("avx")) return "AVX";
    if (ggml_cpu_has_avx2() != 0 && !__builtin_cpu_supports("avx2")) return "AVX2";
    if (ggml_cpu_has_fma() != 0 && !__builtin_cpu_supports("fma")) return "FMA";
    if (ggml_cpu_has_bmi2() != 0 && !__builtin_cpu_supports("bmi2")) return "BMI2";
    if (ggml_cpu_has_avx512() != 0 && !__builtin_cpu_supports("avx512bw")) return "AVX-512";
    if (ggml_cpu_has_avx512_vbmi() != 0 && !__builtin_cpu_supports("avx512vbmi"))
        return "AVX-512 VBMI";
    if (ggml_cpu_has_avx512_vnni() != 0 && !__builtin_cpu_supports("avx512vnni"))
        return "AVX-512 VNNI";
    if (ggml_cpu_has_avx512_bf16() != 0 && !__builtin_cpu_supports("avx512bf16"))
        return "AVX-512 BF16";
#elif defined(__aarch64__)
    if (ggml_cpu_has_dotprod() != 0 && (::getauxval(AT_HWCAP) & HWCAP_ASIMDDP) == 0)
        return "dot products";
    if (ggml_cpu_has_sve() != 0 && (::getauxval(AT_HWCAP) & HWCAP_SVE) == 0) return "SVE";
    if (ggml_cpu_has_matmul_int8() != 0 && (::getauxval(AT_HWCAP2) & HWCAP2_I8MM) == 0)
        return "int8 matrices";
#endif
    return {};
}

}  // namespace parley::engine::llama
