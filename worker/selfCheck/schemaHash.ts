/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '27c9f895ded92ca0544848d21d975e88a033ff81578eab66df381cc51dca5e2d'
