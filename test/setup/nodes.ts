export { installNodes as default } from '../nodes/packages.ts'
