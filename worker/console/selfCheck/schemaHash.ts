/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'd8cba42a37f5af22a39bd67c3b0f6d7855608dccba9e4458ff99ce12d3b771e7'
