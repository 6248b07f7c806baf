const SCRIPT = '/service-worker.js'

interface Policy {
  createScriptURL(url: string): string
}

/** Lets this browser show /dashboard/offline without a connection, once this page has loaded. Browsers without service workers do without. */
export function installOfflinePage(): void {
  const container: ServiceWorkerContainer | undefined = navigator.serviceWorker
  if (container === undefined || !import.meta.env.PROD) return
  const install = () => void container.register(createTrustedUrl(), { scope: '/dashboard/' }).catch(() => {})
  if (document.readyState === 'complete') install()
  else addEventListener('load', install, { once: true })
}

/** The script's address, as a trusted one if the browser has Trusted Types. The policy allows no other. */
function createTrustedUrl(): string {
  const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } })
    .trustedTypes
  return (
    factory?.createPolicy('service-worker', { createScriptURL: () => SCRIPT }).createScriptURL(SCRIPT) ??
    SCRIPT
  )
}
