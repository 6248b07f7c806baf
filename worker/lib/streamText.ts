import { getLogMessage } from './errors.ts'

/** Streams text piece by piece. Once begun, a failure can only cut it off; it is logged with the request. */
export function streamText(pieces: AsyncGenerator<string>, requestId: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        console.error(JSON.stringify({ level: 'error', requestId, error: getLogMessage(error) }))
        controller.error(new Error('The file could not be finished.'))
      }
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}
