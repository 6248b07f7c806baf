import { createMarkdownResponse, formatIndex } from './_site/api/markdown.ts'
import { listAreas } from './_site/api/reference.ts'

export const GET = () => createMarkdownResponse(formatIndex(listAreas()))
