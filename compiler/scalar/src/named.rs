//! Enums whose variants have names: the variants, the list of all, and the names are one table. A row may also have a line for
//! users: what `--help` says of the variant as the value of an option.

/// `named! { Offload { None "none" "Nothing", .. } }`
#[macro_export]
macro_rules! named {
    ($(#[$of:meta])* $Type:ident { $($(#[$doc:meta])* $variant:ident $name:literal,)* }) => {
        $(#[$of])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $Type {
            $($(#[$doc])* $variant,)*
        }

        impl $Type {
            pub const ALL: [$Type; [$($name),*].len()] = [$($Type::$variant),*];

            pub const fn name(self) -> &'static str {
                match self {
                    $($Type::$variant => $name,)*
                }
            }

            pub fn from_name(name: &str) -> Option<$Type> {
                $Type::ALL.into_iter().find(|x| x.name() == name)
            }
        }
    };
    ($(#[$of:meta])* $Type:ident { $($(#[$doc:meta])* $variant:ident $name:literal $about:literal,)* }) => {
        $crate::named! { $(#[$of])* $Type { $($(#[$doc])* #[doc = $about] $variant $name,)* } }

        impl $Type {
            /// For users, in a line.
            pub const fn about(self) -> &'static str {
                match self {
                    $($Type::$variant => $about,)*
                }
            }
        }
    };
}
