/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '66a34171105c34c89d291da76c32e75089bf7ce8de1b99061d31fa005980f312'
