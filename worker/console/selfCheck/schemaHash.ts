/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '0870c703d95d4e5934b84069946e48a884408404bc9924d32b12fb3a27e02494'
