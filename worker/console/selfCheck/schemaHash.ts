/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '91623379523a6d3f582b94f86935558c6576c44ab3e67d0287b1fa4bfb88791e'
