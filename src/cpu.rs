//! Whether this processor can run what the compiler made.
//!
//! A source build is for the processor it is built on. Elsewhere it would die
//! on an illegal instruction, so `main` asks here first. The standard
//! library's `is_x86_feature_detected!` is of no use for that: it answers
//! "yes" for every feature the build takes for granted.
//!
//! What runs before the answer must itself do without those features. It has
//! been tried on emulated processors down to the first x86-64, and rests on
//! two things: the standard library comes compiled for any processor, as long
//! as link-time optimisation does not compile it anew; and the code here moves
//! nothing about but words and references.

/// Calls `missing` with every instruction set this build uses and the
/// processor lacks, by the name `rustc` gives it.
#[cfg(target_arch = "x86_64")]
pub fn for_each_missing_feature(missing: &mut dyn FnMut(&'static str)) {
    use raw_cpuid::cpuid;

    const EXTENDED: u32 = 0x8000_0000;
    let basic = cpuid!(0).eax;
    let extended = cpuid!(EXTENDED).eax;
    macro_rules! check {
        ($word:expr; $($feature:literal $bit:literal),* $(,)?) => {
            let word: u32 = $word;
            $(
                if cfg!(target_feature = $feature) && word >> $bit & 1 == 0 {
                    missing($feature);
                }
            )*
        };
    }
    // The bits are those of the manuals of Intel (CPUID) and AMD.
    check!(cpuid!(1).ecx;
        "sse3" 0, "pclmulqdq" 1, "ssse3" 9, "fma" 12, "sse4.1" 19, "sse4.2" 20,
        "movbe" 22, "popcnt" 23, "avx" 28, "f16c" 29,
    );
    check!(if basic >= 7 { cpuid!(7, 0).ebx } else { 0 };
        "bmi1" 3, "avx2" 5, "bmi2" 8, "avx512f" 16, "avx512dq" 17, "avx512ifma" 21,
        "avx512cd" 28, "avx512bw" 30, "avx512vl" 31,
    );
    check!(if basic >= 7 { cpuid!(7, 0).ecx } else { 0 };
        "avx512vbmi" 1, "avx512vbmi2" 6, "gfni" 8, "vaes" 9, "vpclmulqdq" 10,
        "avx512vnni" 11, "avx512bitalg" 12, "avx512vpopcntdq" 14,
    );
    check!(if extended > EXTENDED { cpuid!(EXTENDED + 1).ecx } else { 0 };
        "lzcnt" 5, "sse4a" 6, "tbm" 21,
    );
}

/// Elsewhere the compiler's idea of the processor is a plain one.
#[cfg(not(target_arch = "x86_64"))]
pub fn for_each_missing_feature(_missing: &mut dyn FnMut(&'static str)) {}

#[cfg(test)]
mod tests {
    #[test]
    fn the_machine_that_built_the_tests_can_run_them() {
        super::for_each_missing_feature(&mut |feature| panic!("{feature} is missing"));
    }
}
