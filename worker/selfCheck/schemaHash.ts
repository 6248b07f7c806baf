/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '2bbe2e98711a399a6f88adab31882833a21d5e15068cae5c668e7be40356af42'
