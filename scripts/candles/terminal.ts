import type { Context } from './context.ts'

/**
 * Writes reports and progress. On a terminal the line of the progress is overwritten; elsewhere each step is one line, without
 * its share.
 */
export function createOutput(stream: {
  readonly isTTY?: boolean
  write(text: string): unknown
}): Pick<Context, 'print' | 'progress'> {
  const clearLine = stream.isTTY ? '\r\u001b[K' : ''
  return {
    print: (text) => stream.write(`${clearLine}${text}\n`),
    progress: (what, share) => {
      const percent = share === undefined ? '' : ` ${Math.floor(share * 100)} %`
      if (stream.isTTY) stream.write(`${clearLine}${what} …${percent}`)
      else if (share === undefined) stream.write(`${what} …\n`)
    },
  }
}
