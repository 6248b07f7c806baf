/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '20e9de87a9b239c489d2d82be9887f2dcd8a59f1b551647d8318df64f4a87387'
