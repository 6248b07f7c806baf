/**
 * The bytes of all buffers that some work makes in this isolate, each counted once however many views it has. Also counts what a
 * request's body becomes when it is read as text, as a form or as a Blob.
 */
export async function countBytes(work: () => Promise<unknown>): Promise<number> {
  const seen = new WeakSet<ArrayBufferLike>()
  let bytes = 0
  const count = (made: unknown): void => {
    const buffer = made instanceof ArrayBuffer ? made : ArrayBuffer.isView(made) ? made.buffer : null
    if (buffer === null || seen.has(buffer)) return
    seen.add(buffer)
    bytes += buffer.byteLength
  }

  const undo: (() => void)[] = []
  const replace = <Owner extends object, Name extends keyof Owner>(
    owner: Owner,
    name: Name,
    by: Owner[Name],
  ) => {
    const before = owner[name]
    owner[name] = by
    undo.push(() => {
      owner[name] = before
    })
  }
  const watchMethod = (owner: object, name: string, noted = count) => {
    const method: (...args: unknown[]) => unknown = Reflect.get(owner, name)
    replace(
      owner,
      name as never,
      function (this: unknown, ...args: unknown[]) {
        const made = method.apply(this, args)
        const note = (result: unknown) => noted.call(this, result)
        if (!(made instanceof Promise)) note(made)
        else void made.then(note, () => {})
        return made
      } as never,
    )
  }
  const watchConstructor = (name: 'ArrayBuffer' | 'Uint8Array') => {
    replace(
      globalThis as Record<typeof name, object>,
      name,
      new Proxy(globalThis[name], {
        construct(target, args, newTarget) {
          const made = Reflect.construct(target, args, newTarget)
          count(made)
          return made
        },
      }),
    )
  }

  const body: object = Object.getPrototypeOf(Request.prototype)
  for (const name of ['arrayBuffer', 'bytes']) watchMethod(body, name)
  for (const name of ['blob', 'formData', 'text'])
    watchMethod(body, name, function (this: Request) {
      bytes += Number(this.headers.get('Content-Length'))
    })
  for (const name of ['encrypt', 'decrypt']) watchMethod(Object.getPrototypeOf(crypto.subtle), name)
  for (const name of ['slice', 'transfer']) watchMethod(ArrayBuffer.prototype, name)
  for (const name of ['slice', 'map', 'filter'])
    watchMethod(Object.getPrototypeOf(Uint8Array.prototype), name)
  watchMethod(TextEncoder.prototype, 'encode')
  watchConstructor('ArrayBuffer')
  watchConstructor('Uint8Array')
  try {
    await work()
  } finally {
    for (const restore of undo.reverse()) restore()
  }
  return bytes
}
