/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'e84315c4b98fd5a4787142de4d1398cfd47092dadad6e8e4f934269793bf98c9'
