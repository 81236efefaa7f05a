//! The macro that turns a family's rows into typed constants and a list.

/// Declares a family of keys and `ROWS`, the list of them.
macro_rules! keys {
    ($(
        $about:literal
        $constant:ident: $type:ty $(as $kind:literal)? = $name:literal, $default:expr, $in_file:literal, $unit:ident, $limits:expr,
            [$($new:literal),*], $scope:literal, $effect:ident, $source:literal;
    )*) => {
        $(
            #[doc = concat!("`", $name, "`: ", $about)]
            pub static $constant: $crate::registry::Key<$type> =
                $crate::registry::Key::new($crate::registry::KeyInfo {
                    name: $name,
                    default: $default,
                    in_default_file: $in_file,
                    expected: or_of_type!($type $(, $kind)?),
                    unit: Unit::$unit,
                    limits: $limits,
                    new_names: &[$($new),*],
                    scope: $scope,
                    effect: Effect::$effect,
                    about: $about,
                    source: $source,
                });
        )*

        /// Every row of this family.
        pub(super) static ROWS: &[&$crate::registry::KeyInfo] = &[$($constant.info()),*];
    };
}

/// What a row expects: its own words, else those of its type.
macro_rules! or_of_type {
    ($type:ty) => {
        <$type as $crate::value::Value>::EXPECTED
    };
    ($type:ty, $kind:literal) => {
        $kind
    };
}

pub(super) use {keys, or_of_type};
