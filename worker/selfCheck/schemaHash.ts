/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '0e764965bfba3da6d88091764ae364519933460ea3a63e0ef719cad94bf84392'
