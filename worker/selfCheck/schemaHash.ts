/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '0a6dab2bd7e54ae1b2730ef1e976dc16a17fb217f9c19b200ac68d4360a219f5'
