//! Instruction sets: which of them the processor has, and which one kernels use.

use std::env;
use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};

/// An instruction set. Each level of an architecture includes those before it.
///
/// Kernels run at the [best](Self::best) level of the processor. The environment variable
/// [`XCOLLIDE_SIMD`](Self::VARIABLE) selects a lower one, to compare levels or to test one on a processor that has
/// more; results have the same bits at all levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SimdLevel {
    /// No instructions of a particular processor.
    Portable,
    /// NEON, which every aarch64 processor has.
    Neon,
    /// SSE2, which every x86-64 processor has.
    Sse2,
    /// AVX2, BMI1, BMI2 and POPCNT.
    Avx2,
    /// AVX-512F and AVX-512VL besides.
    Avx512,
}

impl SimdLevel {
    /// All levels.
    pub const ALL: [Self; 5] = [Self::Portable, Self::Neon, Self::Sse2, Self::Avx2, Self::Avx512];

    /// The level that every processor of the target has.
    pub(crate) const BASELINE: Self = if cfg!(target_arch = "x86_64") {
        Self::Sse2
    } else if cfg!(target_arch = "aarch64") {
        Self::Neon
    } else {
        Self::Portable
    };

    /// The name of the environment variable that selects a level: `portable`, `neon`, `sse2`, `avx2` or `avx512`.
    pub const VARIABLE: &'static str = "XCOLLIDE_SIMD";

    /// The level at which kernels run: that of [`VARIABLE`](Self::VARIABLE) if it can be used, else the best one of
    /// this processor. Determined once.
    ///
    /// A program that wants to reject a variable that cannot be used calls [`requested`](Self::requested).
    #[inline]
    #[must_use]
    pub fn best() -> Self {
        match BEST.load(Ordering::Relaxed) {
            0 => Self::Portable,
            1 => Self::Neon,
            2 => Self::Sse2,
            3 => Self::Avx2,
            4 => Self::Avx512,
            _ => determine(),
        }
    }

    /// The best level that this processor has, whatever the environment says.
    #[must_use]
    pub fn of_processor() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let has_avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            let has_avx512 =
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
            match (has_avx2, has_avx512) {
                (true, true) => Self::Avx512,
                (true, false) => Self::Avx2,
                (false, _) => Self::Sse2,
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        Self::BASELINE
    }

    /// Whether this processor has the instructions.
    #[must_use]
    pub fn is_in_processor(self) -> bool {
        self <= Self::of_processor() && (self != Self::Neon || cfg!(target_arch = "aarch64"))
    }

    /// The level that the environment variable [`VARIABLE`](Self::VARIABLE) selects; `None` without the variable.
    ///
    /// # Errors
    /// The variable names no level, or one that this processor or this program does not have.
    pub fn requested() -> Result<Option<Self>, SimdLevelError> {
        let Some(value) = env::var_os(Self::VARIABLE) else { return Ok(None) };
        let level: Self = value.to_string_lossy().parse()?;
        if !level.is_in_processor() {
            return Err(SimdLevelError::NotInProcessor { level });
        }
        if level < Self::lowest() {
            return Err(SimdLevelError::NotCompiled { level });
        }
        Ok(Some(level))
    }

    /// The lowest level for which kernels are compiled.
    const fn lowest() -> Self {
        if cfg!(feature = "portable") { Self::Portable } else { Self::BASELINE }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Neon => "neon",
            Self::Sse2 => "sse2",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

/// The number of the level at which kernels run; [`u8::MAX`] before it is determined.
static BEST: AtomicU8 = AtomicU8::new(u8::MAX);

#[cold]
fn determine() -> SimdLevel {
    let level = SimdLevel::requested().ok().flatten().unwrap_or_else(SimdLevel::of_processor);
    BEST.store(level as u8, Ordering::Relaxed);
    level
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SimdLevel {
    type Err = SimdLevelError;

    fn from_str(name: &str) -> Result<Self, SimdLevelError> {
        let found = Self::ALL.into_iter().find(|level| level.name() == name);
        found.ok_or_else(|| SimdLevelError::Unknown { found: name.to_owned() })
    }
}

/// A level that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimdLevelError {
    /// Not the name of a level.
    Unknown {
        /// What was found.
        found: String,
    },
    /// The processor lacks the instructions.
    NotInProcessor {
        /// The level.
        level: SimdLevel,
    },
    /// The program has no kernels for the level: those of [`SimdLevel::Portable`] are compiled for x86-64 and aarch64
    /// only with the feature `portable`.
    NotCompiled {
        /// The level.
        level: SimdLevel,
    },
}

impl fmt::Display for SimdLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { found } => write!(
                f,
                "`{found}` is no instruction set, expected portable, neon, sse2, avx2 or avx512"
            ),
            Self::NotInProcessor { level } => write!(
                f,
                "this processor has no {level}, its best is {}",
                SimdLevel::of_processor()
            ),
            Self::NotCompiled { level } => write!(
                f,
                "this program has no kernels for {level}; compile it with the feature `portable` \
                 of xcollide-simd"
            ),
        }
    }
}

impl Error for SimdLevelError {}
