import { randomUUID } from 'node:crypto'
import { type ApiAnswer, type ApiRequest, type Product, readJson } from './server.ts'

export interface Binding {
  readonly type: string
  readonly name: string
  readonly text?: string
  readonly id?: string
  readonly bucket_name?: string
  readonly jurisdiction?: string
  readonly class_name?: string
}

export interface Version {
  readonly id: string
  readonly number: number
  readonly createdOn: string
  readonly bindings: readonly Binding[]
  readonly annotations: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, unknown>>
  /** The uploaded files of the bundle, by name. */
  readonly modules: ReadonlyMap<string, Buffer>
}

interface Deployment {
  readonly id: string
  readonly versions: readonly { readonly version_id: string; readonly percentage: number }[]
  readonly annotations: Readonly<Record<string, string>>
  readonly createdOn: string
}

interface Script {
  readonly name: string
  readonly versions: Version[]
  readonly deployments: Deployment[]
  /** On at first: only a deploy that says otherwise turns the address off. */
  subdomain: { enabled: boolean; previews_enabled: boolean }
  settings: Record<string, unknown>
  schedules: readonly { readonly cron: string }[]
  migrationTag: string | null
}

export interface Workers {
  readonly answer: Product
  deployedVersion(name: string): Version | undefined
  /** The bindings that the deployed version of a Worker has. */
  listBindings(name: string): readonly Binding[]
  /** Turns the address of workers.dev on, as somebody can in the dashboard. */
  openSubdomain(name: string): void
  /** The addresses under which the world reaches a Worker. */
  listDoors(name: string): string[]
}

/**
 * Workers: scripts with versions, deployments, secrets and addresses.
 *
 * @param has whether the database or bucket of a binding exists
 */
export function openWorkers(has: (binding: Binding) => boolean): Workers {
  const scripts = new Map<string, Script>()
  const domains: { id: string; hostname: string; service: string; zone_id: string }[] = []

  function deployed(script: Script): Version | undefined {
    const id = script.deployments.at(-1)?.versions[0]?.version_id
    return script.versions.find((version) => version.id === id)
  }

  function deployedVersion(name: string): Version | undefined {
    const script = scripts.get(name)
    return script === undefined ? undefined : deployed(script)
  }

  function deploy(script: Script, version: Version, annotations: Readonly<Record<string, string>> = {}) {
    const deployment = {
      id: randomUUID(),
      versions: [{ version_id: version.id, percentage: 100 }],
      annotations,
      createdOn: new Date().toISOString(),
    }
    script.deployments.push(deployment)
    return deployment
  }

  function addVersion(
    script: Script,
    bindings: readonly Binding[],
    metadata: Readonly<Record<string, unknown>>,
    modules: ReadonlyMap<string, Buffer> = new Map(),
  ): Version {
    const annotations = (metadata.annotations ?? {}) as Record<string, string>
    const version = {
      id: randomUUID(),
      number: script.versions.length + 1,
      createdOn: new Date().toISOString(),
      bindings,
      annotations,
      metadata,
      modules,
    }
    script.versions.push(version)
    return version
  }

  async function upload(
    name: string,
    request: ApiRequest,
  ): Promise<{ script: Script; version: Version } | ApiAnswer> {
    const form = await new Response(new Uint8Array(request.body), { headers: request.headers }).formData()
    const metadata = JSON.parse(String(form.get('metadata'))) as Record<string, unknown>
    const modules = new Map<string, Buffer>()
    for (const [name, part] of form)
      if (part instanceof File) modules.set(name, Buffer.from(await part.arrayBuffer()))
    const known = scripts.get(name)
    const before = known?.versions.at(-1)?.bindings ?? []
    const named = (metadata.bindings ?? []) as Binding[]
    const missing = named.find(
      ({ type, name }) => type === 'inherit' && !before.some((one) => one.name === name),
    )
    if (missing !== undefined)
      return {
        code: 10021,
        message: `Binding ${missing.name} of type inherit has nothing to inherit`,
        status: 400,
      }
    const unknown = named.find((one) => !has(one))
    if (unknown !== undefined)
      return {
        code: 10021,
        message: `binding ${unknown.name} of type ${unknown.type} must name something that exists`,
        status: 400,
      }
    const keep = (metadata.keep_bindings ?? []) as string[]
    // A variable takes the place of a secret of the same name, also an empty one.
    const kept = before.filter(
      (one) => keep.includes(one.type) && !named.some(({ name }) => name === one.name),
    )
    const bindings = named.map((one) =>
      one.type === 'inherit' ? (before.find(({ name }) => name === one.name) ?? one) : one,
    )
    const script: Script = known ?? {
      name,
      versions: [],
      deployments: [],
      subdomain: { enabled: true, previews_enabled: true },
      settings: {},
      schedules: [],
      migrationTag: null,
    }
    scripts.set(name, script)
    const migrations = metadata.migrations as { new_tag?: string } | undefined
    if (migrations?.new_tag !== undefined) script.migrationTag = migrations.new_tag
    return { script, version: addVersion(script, [...bindings, ...kept], metadata, modules) }
  }

  function putSecrets(script: Script, secrets: readonly Binding[]): ApiAnswer {
    const latest = script.versions.at(-1)
    const others = (latest?.bindings ?? []).filter((one) => !secrets.some(({ name }) => name === one.name))
    deploy(
      script,
      addVersion(
        script,
        [...others, ...secrets],
        { ...latest?.metadata, annotations: { 'workers/triggered_by': 'secret' } },
        latest?.modules,
      ),
    )
    return { result: secrets.map(({ name, type }) => ({ name, type })) }
  }

  async function answerScript(
    name: string,
    action: string,
    request: ApiRequest,
  ): Promise<ApiAnswer | undefined> {
    const { method } = request
    if (action === '' && method === 'PUT') {
      const uploaded = await upload(name, request)
      if (!('script' in uploaded)) return uploaded
      deploy(uploaded.script, uploaded.version)
      return { result: { id: name, etag: 'etag', deployment_id: uploaded.version.id, startup_time_ms: 100 } }
    }
    if (action === '/assets-upload-session' && method === 'POST')
      return { result: { jwt: token(), buckets: [] } }
    const script = scripts.get(name)
    if (script === undefined)
      return { code: 10007, message: 'This Worker does not exist on your account.', status: 404 }
    if (action === '/versions' && method === 'POST') {
      const uploaded = await upload(name, request)
      if (!('script' in uploaded)) return uploaded
      return { result: { ...describeVersion(uploaded.version), startup_time_ms: 100 } }
    }
    if (action === '/versions')
      return { result: { items: [...script.versions].reverse().map(describeVersion) } }
    const version = script.versions.find(({ id }) => action === `/versions/${id}`)
    if (version !== undefined) return { result: describeVersion(version) }
    if (action === '/deployments' && method === 'POST') {
      const { versions, annotations } = readJson(request) as unknown as Deployment
      const chosen = script.versions.find(({ id }) => id === versions[0]?.version_id)
      if (chosen === undefined) return { code: 10007, message: 'This version does not exist.', status: 404 }
      return { result: deploy(script, chosen, annotations) }
    }
    if (action === '/deployments')
      return {
        result: {
          deployments: [...script.deployments].reverse().map(({ createdOn, ...one }) => ({
            ...one,
            ...MADE,
            created_on: createdOn,
            source: 'api',
            strategy: 'percentage',
          })),
        },
      }
    if (action === '/secrets' && method === 'PUT')
      return putSecrets(script, [readJson(request) as unknown as Binding])
    if (action === '/secrets' && method === 'GET')
      return {
        result: (deployed(script)?.bindings ?? []).filter(isSecret).map(({ name, type }) => ({ name, type })),
      }
    if (action.startsWith('/secrets/') && method === 'DELETE') {
      const latest = script.versions.at(-1)
      const left = (latest?.bindings ?? []).filter((one) => one.name !== action.slice('/secrets/'.length))
      deploy(script, addVersion(script, left, latest?.metadata ?? {}, latest?.modules))
      return { result: null }
    }
    if (action === '/subdomain' && method === 'POST')
      script.subdomain = { ...script.subdomain, ...readJson(request) }
    if (action === '/subdomain') return { result: script.subdomain }
    if (action === '/script-settings' && method === 'PATCH')
      script.settings = { ...script.settings, ...readJson(request) }
    if (action === '/settings') return { result: { bindings: deployed(script)?.bindings ?? [] } }
    if (action === '/script-settings') return { result: script.settings }
    if (action === '/schedules' && method === 'PUT') script.schedules = JSON.parse(request.body.toString())
    if (action === '/schedules') return { result: { schedules: script.schedules } }
    if (action === '/domains/records' && method === 'PUT') {
      const { origins } = readJson(request) as { origins: { hostname: string }[] }
      for (const { hostname } of origins)
        if (!domains.some((domain) => domain.hostname === hostname))
          domains.push({ id: randomUUID(), hostname, service: name, zone_id: 'zone' })
      return { result: null }
    }
    if (action === '/domains/changeset')
      return { result: { added: [], removed: [], updated: [], conflicting: [] } }
    if (action === '/routes') return { result: [] }
    return undefined
  }

  return {
    async answer(request) {
      const { path, method, query } = request
      if (path === '/workers/subdomain') return { result: { subdomain: 'somebody' } }
      if (path === '/workers/domains')
        return { result: domains.filter(({ service }) => service === query.get('service')) }
      if (path === '/workers/scripts' && method === 'GET')
        return {
          result: [...scripts.values()].map(({ name, migrationTag }) => ({
            id: name,
            migration_tag: migrationTag,
            ...MADE,
          })),
        }
      const worker = scripts.get(/^\/workers\/workers\/([^/]+)$/.exec(path)?.[1] ?? '')
      if (worker !== undefined)
        return { result: { id: worker.name, name: worker.name, subdomain: worker.subdomain } }
      const [, service, rest = ''] = /^\/workers\/services\/([^/]+)(\/.*)?$/.exec(path) ?? []
      if (service !== undefined) return answerService(scripts.get(service), rest)
      const [, name, action = ''] = /^\/workers\/scripts\/([^/]+)(\/.*)?$/.exec(path) ?? []
      return name === undefined ? undefined : answerScript(name, action, request)
    },
    deployedVersion,
    listBindings: (name) => deployedVersion(name)?.bindings ?? [],
    openSubdomain(name) {
      const script = scripts.get(name)
      if (script !== undefined) script.subdomain = { enabled: true, previews_enabled: true }
    },
    listDoors: (name) => [
      ...(scripts.get(name)?.subdomain.enabled ? [`${name}.somebody.workers.dev`] : []),
      ...domains.filter(({ service }) => service === name).map(({ hostname }) => hostname),
    ],
  }

  function answerService(script: Script | undefined, rest: string): ApiAnswer | undefined {
    if (script === undefined)
      return { code: 10090, message: 'This service does not exist on your account.', status: 404 }
    const described = {
      migration_tag: script.migrationTag,
      tag: 'tag',
      tags: script.settings.tags ?? null,
      last_deployed_from: 'wrangler',
    }
    if (rest === '')
      return {
        result: { id: script.name, default_environment: { environment: 'production', script: described } },
      }
    return undefined
  }
}

const MADE = {
  created_on: '2026-01-01T00:00:00Z',
  modified_on: '2026-01-01T00:00:00Z',
  author_email: 'you@example.org',
  author_id: 'user',
}

function describeVersion({ id, number, createdOn, bindings, annotations, metadata }: Version) {
  const { compatibility_date, compatibility_flags } = metadata
  return {
    id,
    number,
    metadata: { ...MADE, created_on: createdOn, source: 'wrangler', hasPreview: false },
    annotations,
    resources: {
      bindings: bindings.map((one) => (isSecret(one) ? { name: one.name, type: one.type } : one)),
      script: { etag: 'etag', handlers: ['fetch', 'scheduled'], last_deployed_from: 'wrangler' },
      script_runtime: { compatibility_date, compatibility_flags, usage_model: 'standard' },
    },
  }
}

function isSecret({ type }: Binding): boolean {
  return type === 'secret_text'
}

/** A token of an upload of assets. Wrangler reads its content. */
function token(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part({ exp: 2_000_000_000 })}.signature`
}
