import type { Network } from '../../../src/contract/money/coins.ts'

/**
 * Receiving addresses for development. No real wallet sends to any of them: the Bitcoin one belongs to a test network,
 * the others carry a checksum that is wrong on purpose.
 */
export const RECEIVING_ADDRESSES: Record<Network, string> = {
  btc: 'tb1qpjvrzyxslfauteyvgaecwhfyju9mujsj6s0jm2',
  eth: '0xd4D1B634F0BdFF40206F062ecFDF2056cd2a5D1F',
  'usdt-trc20': 'TBiqmk2FAM8bE5ArmjZcpnpxpwwRT5915g',
  'usdt-bsc': '0x462aa4098964c37A9Cd2a08B40878525b1Ae4e5e',
  'usdt-erc20': '0xc15996D5a76b61217367d24A42c81558fA64Be81',
}
