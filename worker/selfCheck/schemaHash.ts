/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'ce93012271ef274d12c01b6cd99749a41b23b578eb851f2a091f385e69ae718d'
