/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '65c4ef00ec004209b7cf120744614a7bfb68e63d63354ea38d6cf9da7908bc30'
