import { endpoint } from '../endpoint.ts'
import { reasonBody } from './bodies.ts'
import { operatorStrategy } from './strategies.ts'

export const suspendStrategy = endpoint({
  method: 'POST',
  path: '/operator/strategies/:id/suspend',
  scope: 'operator:strategies.suspend',
  summary:
    'Suspend a strategy at once: it takes no new money and is sold at its next open, its investors are told with the reason, redeeming goes on',
  status: 200,
  body: reasonBody,
  answer: operatorStrategy,
  idempotent: true,
  refusals: ['already_decided'],
  audit: ['strategy.suspended'],
})
