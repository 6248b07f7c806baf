/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '5413f23be77b160d5658841879a2b98c55b0602d0966166a913e2fc8d29208d7'
