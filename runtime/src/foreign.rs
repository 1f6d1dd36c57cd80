//! Libraries that a machine may lack: opened when they are needed, as a table of functions.
//!
//! The types are those of `cudarc`'s bindings. Its own loader is not used, for three reasons. It ends the process if a
//! library or a function is missing. It knows only some of the names that libraries have. It takes what functions
//! return for a Rust enum, which the codes of a newer library are not. Here all functions are looked up at once, a
//! missing one is an error with its name, and codes are numbers.

/// Declares a table of C functions that return a code, and how it is loaded.
macro_rules! functions {
    ($(#[$doc:meta])* $vis:vis struct $table:ident { $( fn $f:ident($($arg:ty),* $(,)?); )* }) => {
        $(#[$doc])*
        #[allow(non_snake_case)]
        $vis struct $table {
            $( pub $f: unsafe extern "C" fn($($arg),*) -> u32, )*
            // Last: the functions are its.
            #[allow(dead_code)]
            pub(crate) library: libloading::Library,
        }

        impl $table {
            /// Looks all functions up. The error is the name of one that the library lacks.
            ///
            /// # Safety
            /// The library's functions of these names have these types.
            $vis unsafe fn of(library: libloading::Library) -> Result<$table, &'static str> {
                Ok($table {
                    $(
                        // SAFETY: as the caller promises.
                        $f: *unsafe { library.get::<unsafe extern "C" fn($($arg),*) -> u32>(stringify!($f).as_bytes()) }
                            .map_err(|_| stringify!($f))?,
                    )*
                    library,
                })
            }
        }
    };
}
pub(crate) use functions;

mod packages;

/// Opens the first library that is there: where the loader looks, else in Python's packages. The error is that of [`open`].
pub(crate) fn open_anywhere(names: &[String]) -> Result<(libloading::Library, String), String> {
    open(names).or_else(|why| open(&packages::find(names)).map_err(|_| why))
}

/// Opens the first library that is there. The error says what the loader said of the last.
pub(crate) fn open(names: &[String]) -> Result<(libloading::Library, String), String> {
    let mut why = String::from("no name to look for");
    for name in names {
        // The loader would wait for what a pipe has to say.
        let path = std::path::Path::new(name);
        if name.contains('/') && path.exists() && !path.is_file() {
            why = format!("{name}: is no file");
            continue;
        }
        // SAFETY: loading runs the library's initialisers, as for every program that is linked to it.
        match unsafe { libloading::Library::new(name) } {
            Ok(library) => return Ok((library, name.clone())),
            // What the system's loader said comes under what `libloading` was doing.
            Err(e) => why = std::error::Error::source(&e).map_or_else(|| e.to_string(), ToString::to_string),
        }
    }
    Err(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nobody writes to it: whoever opens it waits for ever.
    #[test]
    fn a_pipe_is_no_library() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("libnccl.so.2");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
        let name = pipe.display().to_string();
        assert_eq!(open(std::slice::from_ref(&name)).err(), Some(format!("{name}: is no file")));
    }
}
