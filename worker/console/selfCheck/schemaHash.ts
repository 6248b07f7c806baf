/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'ac8c8c411297d66975f1c000750febc19635eb469ec65a11db12ca6372979df9'
