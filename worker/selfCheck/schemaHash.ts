/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '710954b0a49d53c44794172e3886f74ec3327d02e172b3685aaddc50b44e2e67'
