/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '2bb531efd51d73da41c110eedf16e968d7a551ed211f94d6cc487d481fe2cc51'
