import type * as z from 'zod/mini'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { ActorCall, Answer, Call, CheckedCall } from './call.ts'

/** An answer, or a response of another media type than JSON. */
export type Reply<T> = Answer<T> | Response

type Signed<B extends z.ZodMiniType, Q extends z.ZodMiniType> = CheckedCall<z.output<B>, z.output<Q>> &
  ActorCall

/** A route ready to be mounted; what it needs is checked by the pipeline in the contract's order of refusals. */
export interface Route {
  readonly endpoint: Endpoint
  /** Loads the thing an `:id` names, within the actor's scope, or refuses `not_found`: before fields are looked at. */
  readonly load: ((call: ActorCall) => Promise<unknown>) | null
  readonly run: (call: CheckedCall<unknown, unknown> & ActorCall, thing: unknown) => Promise<Reply<unknown>>
}

/** A route for anybody. */
export function publicRoute<B extends z.ZodMiniType, Q extends z.ZodMiniType, A>(
  endpoint: Endpoint<B, Q, A>,
  run: (call: CheckedCall<z.output<B>, z.output<Q>> & Call) => Promise<Reply<NoInfer<A>>>,
): Route {
  return { endpoint: endpoint as Endpoint, load: null, run: run as Route['run'] }
}

/** A route for somebody signed in, in the endpoint's scope. */
export function route<B extends z.ZodMiniType, Q extends z.ZodMiniType, A>(
  endpoint: Endpoint<B, Q, A>,
  run: (call: Signed<B, Q>) => Promise<Reply<NoInfer<A>>>,
): Route {
  return { endpoint: endpoint as Endpoint, load: null, run: run as Route['run'] }
}

/** A route about one thing: `load` finds it within the actor's scope, `run` gets it. */
export function routeOf<B extends z.ZodMiniType, Q extends z.ZodMiniType, A, T>(
  endpoint: Endpoint<B, Q, A>,
  load: (call: ActorCall) => Promise<T>,
  run: (call: Signed<B, Q>, thing: T) => Promise<Reply<NoInfer<A>>>,
): Route {
  return { endpoint: endpoint as Endpoint, load, run: run as Route['run'] }
}
