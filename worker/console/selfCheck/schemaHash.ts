/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'aa9592b64321b8e0d7342ab304cfc3f7c6ebb921ca8e31aeb6eda178d7a72eed'
