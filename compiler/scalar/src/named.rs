//! Enums whose variants have names: the variants, the list of all and the names are one table.

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
}

pub(crate) use named;
