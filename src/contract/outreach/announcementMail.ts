/** How a mail that its reader may turn off ends. */
export const MAILS_OFF = {
  words: 'If you don’t want mails like this one, turn them off in your profile or with this link:',
  label: 'Turn these mails off',
} as const

/** The paragraphs of an announcement: a blank line begins one. */
export function paragraphsOf(text: string): string[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
}

/** An announcement as its reader gets it in plain text; `link` stands for their own. */
export function announcementText(text: string, { brand, name, link }: Reading): string {
  return [
    `Hello ${name},`,
    ...paragraphsOf(text),
    MAILS_OFF.words,
    `${MAILS_OFF.label}: ${link}`,
    brand,
  ].join('\n\n')
}

interface Reading {
  brand: string
  name: string
  link: string
}
