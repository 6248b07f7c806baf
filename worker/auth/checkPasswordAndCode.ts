export { commitWithProof as commitWithPasswordAndCode } from './commitWithProof.ts'
