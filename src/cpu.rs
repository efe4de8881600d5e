//! Whether this processor can run what the compiler made.
//!
//! A source build is for the processor it is built on. Elsewhere it would die
//! on an illegal instruction, so `main` asks here first. The standard
//! library's `is_x86_feature_detected!` is of no use for that: it answers
//! "yes" for every feature the build takes for granted.

/// The instruction sets this build uses and the processor lacks, as `rustc`
/// calls them, separated by spaces; empty if all is well.
///
/// It builds nothing but a string, feature by feature, so that it is itself
/// unlikely to need what it asks for.
#[cfg(target_arch = "x86_64")]
#[must_use]
pub fn missing_features() -> String {
    use raw_cpuid::CpuId;

    let cpu = CpuId::new();
    let mut missing = String::new();
    macro_rules! check {
        ($leaf:ident: $($feature:literal $has:ident),* $(,)?) => {
            let leaf = cpu.$leaf();
            $(
                if cfg!(target_feature = $feature)
                    && !leaf.as_ref().is_some_and(|leaf| leaf.$has())
                {
                    missing.push_str($feature);
                    missing.push(' ');
                }
            )*
        };
    }
    check!(get_feature_info:
        "sse3" has_sse3,
        "ssse3" has_ssse3,
        "sse4.1" has_sse41,
        "sse4.2" has_sse42,
        "popcnt" has_popcnt,
        "movbe" has_movbe,
        "pclmulqdq" has_pclmulqdq,
        "f16c" has_f16c,
        "avx" has_avx,
        "fma" has_fma,
    );
    check!(get_extended_feature_info:
        "avx2" has_avx2,
        "bmi1" has_bmi1,
        "bmi2" has_bmi2,
        "gfni" has_gfni,
        "vpclmulqdq" has_vpclmulqdq,
        "avx512f" has_avx512f,
        "avx512dq" has_avx512dq,
        "avx512bw" has_avx512bw,
        "avx512vl" has_avx512vl,
        "avx512cd" has_avx512cd,
        "avx512ifma" has_avx512_ifma,
        "avx512vbmi" has_avx512vbmi,
        "avx512vbmi2" has_avx512vbmi2,
        "avx512vnni" has_avx512vnni,
        "avx512bitalg" has_avx512bitalg,
        "avx512vpopcntdq" has_avx512vpopcntdq,
    );
    check!(get_extended_processor_and_feature_identifiers:
        "lzcnt" has_lzcnt,
        "sse4a" has_sse4a,
        "tbm" has_tbm,
    );
    missing.truncate(missing.trim_end().len());
    missing
}

/// Elsewhere the compiler's idea of the processor is a plain one.
#[cfg(not(target_arch = "x86_64"))]
#[must_use]
pub fn missing_features() -> String {
    String::new()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_machine_that_built_the_tests_can_run_them() {
        assert_eq!(super::missing_features(), "");
    }
}
