/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '11d36baadc2ee03dcef0b24852f44b00b85b49d797f772a3e9552d7d56a1607c'
