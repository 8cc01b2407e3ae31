//! Lanes in one register: one instruction for each operation.

/// Defines lanes in a register, and their mask in another. Operands have the order of the methods; `max` and `min`
/// must return the second one if both are equal or one is NaN.
macro_rules! register {
    (
        $(#[$doc:meta])*
        $visible:vis $name:ident: [$scalar:ty; $lanes:literal] in $register:ty,
        $mask:ident in $mask_register:ty,
        $splat:ident, $load:ident, $store:ident, $sqrt:ident, $abs:ident,
        [$($binary:ident: $binary_by:ident),*],
        [$($compare:ident: $compare_by:expr),*],
        $select:expr, $and:ident, $or:ident, $and_not:ident, $movemask:ident,
        $from_lanes:expr $(,)?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        $visible struct $name(pub(crate) $register);

        /// All bits of a lane are set, or none.
        #[derive(Clone, Copy, Debug)]
        $visible struct $mask($mask_register);

        impl crate::SimdFloat for $name {
            type Scalar = $scalar;
            type Array = [$scalar; $lanes];
            type Mask = $mask;

            #[inline(always)]
            fn splat(value: $scalar) -> Self {
                // SAFETY: the invariant of the type: the processor has the instructions.
                Self(unsafe { $splat(value) })
            }

            #[inline(always)]
            fn load(values: &[$scalar; $lanes]) -> Self {
                // SAFETY: as above; the reference is to as many numbers, and need not be aligned.
                Self(unsafe { $load(values.as_ptr()) })
            }

            #[inline(always)]
            fn store(self, values: &mut [$scalar; $lanes]) {
                // SAFETY: as above; the reference is to as many numbers, and need not be aligned.
                unsafe { $store(values.as_mut_ptr(), self.0) }
            }

            #[inline(always)]
            fn to_array(self) -> [$scalar; $lanes] {
                let mut values = [0.0; $lanes];
                self.store(&mut values);
                values
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                // SAFETY: the invariant of the type: the processor has the instructions.
                Self(unsafe { $sqrt(self.0) })
            }

            #[inline(always)]
            fn abs(self) -> Self {
                // SAFETY: the invariant of the type: the processor has the instructions.
                Self(unsafe { $abs(self.0) })
            }

            $(
                #[inline(always)]
                fn $binary(self, other: Self) -> Self {
                    // SAFETY: the invariant of the type: the processor has the instructions.
                    Self(unsafe { $binary_by(self.0, other.0) })
                }
            )*

            $(
                #[inline(always)]
                fn $compare(self, other: Self) -> $mask {
                    // SAFETY: the invariant of the type: the processor has the instructions.
                    $mask(unsafe { $compare_by(self.0, other.0) })
                }
            )*

            #[inline(always)]
            fn select(mask: $mask, yes: Self, no: Self) -> Self {
                // SAFETY: the invariant of the type: the processor has the instructions.
                Self(unsafe { $select(no.0, yes.0, mask.0) })
            }
        }

        impl crate::SimdMask for $mask {
            const LANES: u32 = $lanes;

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                // SAFETY: the invariant of the type: the processor has the instructions.
                Self(unsafe { $and(self.0, other.0) })
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                // SAFETY: the invariant of the type: the processor has the instructions.
                Self(unsafe { $or(self.0, other.0) })
            }

            #[inline(always)]
            fn and_not(self, other: Self) -> Self {
                // SAFETY: the invariant of the type: the processor has the instructions.
                Self(unsafe { $and_not(other.0, self.0) })
            }

            #[inline(always)]
            fn to_bits(self) -> u32 {
                // SAFETY: the invariant of the type: the processor has the instructions.
                (unsafe { $movemask(self.0) }) as u32
            }

            #[inline(always)]
            fn from_bits(bits: u32) -> Self {
                // SAFETY: the invariant of the type: the processor has the instructions.
                Self(unsafe { $from_lanes(bits) })
            }
        }
    };
}

pub(crate) use register;
