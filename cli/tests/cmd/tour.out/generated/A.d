generated/A.h: kernel.toml
