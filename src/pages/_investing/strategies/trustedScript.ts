import pressedUrl from './pressed.ts?worker&url'
import workerUrl from './rerun.worker.ts?worker&url'

export { pressedUrl, workerUrl }

interface Policy {
  createScriptURL(url: string): string
}

let policy: Policy | null = null

/** Wraps an address of code where the browser asks for that (Trusted Types): one of the two that a press may fetch, and no other. */
export function trustedScript(url: typeof pressedUrl | typeof workerUrl): string {
  const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } })
    .trustedTypes
  if (factory === undefined) return url
  policy ??= factory.createPolicy('evenkeel-worker', {
    createScriptURL: (asked) => {
      if (asked !== pressedUrl && asked !== workerUrl) throw new TypeError('This code may not be fetched.')
      return asked
    },
  })
  return policy.createScriptURL(url)
}
