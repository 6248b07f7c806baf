/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '566baf7e1685a0127dd4a88516e4d496eca6d94fea0101ed14f4e2bc1899b2d4'
