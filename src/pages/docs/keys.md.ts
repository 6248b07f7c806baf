import { site } from '../../site.ts'
import { KEY_FACTS, listKeyExamples } from '../_site/api/keyGuide.ts'
import { createMarkdownResponse } from '../_site/api/markdown.ts'

export const GET = () =>
  createMarkdownResponse(
    [
      '# API: keys for programs',
      ...KEY_FACTS,
      ...listKeyExamples(site.origin).map(
        ({ title, steps, code }) => `## ${title}\n\n${steps}\n\n\`\`\`\n${code}\n\`\`\``,
      ),
      '',
    ].join('\n\n'),
  )
