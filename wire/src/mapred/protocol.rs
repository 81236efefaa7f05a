//! Makes a protocol's types from the table of its methods, which each protocol's file is.

/// A protocol: Java name and version; then per method its Java name, the type that stands for it with its parameters
/// in wire order, and what it returns. Makes `NAME`, `VERSION`, a type per method and the enum `Call`.
macro_rules! protocol {
    (
        $protocol:literal, version $version:literal;
        $(
            $(#[$doc:meta])*
            $method:literal $name:ident {
                $( $(#[$field_doc:meta])* $field:ident: $type:ty, )*
            } -> $reply:ty;
        )*
    ) => {
        /// The protocol's Java name.
        pub const NAME: &str = $protocol;
        /// The version that 1.2.1 speaks.
        pub const VERSION: i64 = $version;

        $(
            $(#[$doc])*
            #[derive(Debug, Clone, PartialEq)]
            pub struct $name {
                $( $(#[$field_doc])* pub $field: $type, )*
            }

            impl $crate::ipc::Method for $name {
                const NAME: &'static str = $method;
                const PROTOCOL: &'static str = $protocol;
                type Reply = $reply;

                fn encode(&self) -> Vec<u8> {
                    const FIELDS: &[&str] = &[$(stringify!($field)),*];
                    #[allow(unused_mut, reason = "a method without parameters writes none")]
                    let mut out = $crate::invocation::begin($method, FIELDS.len());
                    $( $crate::object_writable::write(&self.$field, &mut out); )*
                    out.into_bytes()
                }

                fn decode(
                    invocation: &mut $crate::invocation::Invocation<'_>,
                ) -> Result<Self, $crate::CallError> {
                    const FIELDS: &[&str] = &[$(stringify!($field)),*];
                    invocation.expect_count(FIELDS.len())?;
                    Ok($name { $( $field: invocation.parameter()?, )* })
                }
            }
        )*

        /// A call of the protocol.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Call {
            /// The version handshake.
            GetProtocolVersion($crate::ipc::GetProtocolVersion),
            $( $(#[$doc])* $name($name), )*
        }

        impl Call {
            /// Reads an Invocation. Bytes after it are ignored, as Hadoop ignores them.
            pub fn decode(bytes: &[u8]) -> Result<Call, $crate::CallError> {
                use $crate::ipc::Method;
                let mut invocation = $crate::invocation::Invocation::new(NAME, bytes)?;
                match invocation.method() {
                    <$crate::ipc::GetProtocolVersion as Method>::NAME => {
                        Method::decode(&mut invocation).map(Call::GetProtocolVersion)
                    }
                    $( $method => Method::decode(&mut invocation).map(Call::$name), )*
                    _ => Err(invocation.no_such_method()),
                }
            }

            /// The Invocation.
            pub fn encode(&self) -> Vec<u8> {
                match self {
                    Call::GetProtocolVersion(call) => $crate::ipc::Method::encode(call),
                    $( Call::$name(call) => $crate::ipc::Method::encode(call), )*
                }
            }

            /// The method's Java name.
            pub fn method(&self) -> &'static str {
                match self {
                    Call::GetProtocolVersion(_) => <$crate::ipc::GetProtocolVersion as $crate::ipc::Method>::NAME,
                    $( Call::$name(_) => $method, )*
                }
            }
        }
    };
}

pub(super) use protocol;
