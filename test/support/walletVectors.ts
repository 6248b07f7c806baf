import type { ProofMethod } from '../../src/contract/console/wallets.ts'
import type { Network } from '../../src/contract/money/coins.ts'

export interface Vector {
  readonly from: string
  readonly network: Network
  readonly address: string
  readonly message: string
  readonly signature: string
  readonly method: ProofMethod
}

const EXAMPLE = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l'

/** Published test signatures, each with its source. */
export const VECTORS: readonly Vector[] = [
  {
    from: 'BIP 322, empty message',
    network: 'btc',
    address: EXAMPLE,
    message: '',
    signature:
      'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
    method: 'bip322',
  },
  {
    from: 'BIP 322, empty message, another signature of it',
    network: 'btc',
    address: EXAMPLE,
    message: '',
    signature:
      'smpAkgwRQIhAPkJ1Q4oYS0htvyuSFHLxRQpFAY56b70UvE7Dxazen0ZAiAtZfFz1S6T6I23MWI2lK/pcNTWncuyL8UL+oMdydVgzAEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
    method: 'bip322',
  },
  {
    from: 'BIP 322, "Hello World"',
    network: 'btc',
    address: EXAMPLE,
    message: 'Hello World',
    signature:
      'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
    method: 'bip322',
  },
  {
    from: 'BIP 322, "Hello World", another signature of it',
    network: 'btc',
    address: EXAMPLE,
    message: 'Hello World',
    signature:
      'smpAkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR8eGhowEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
    method: 'bip322',
  },
  {
    from: 'BIP 322, generated, P2WPKH',
    network: 'btc',
    address: 'bc1qkntwc3c4dzxh9xh6875l03fn3vkk023jgak3u7',
    message: 'ESHJI7MWUL64AXHBI42L3UR4QA',
    signature:
      'AkcwRAIgCYHF/vn67iZX5WBimh84kqD6pTME6eNCMGhfFnnwCNECIAF3nMCk/RfLit+uv8a8FgfQIw0f0ASE21GSz7rX17PsASEDTA2vM8bOtUFgvenSDUmvkq7aWNwoTB0CMiM6carHY1s=',
    method: 'bip322',
  },
  {
    from: 'BIP 322, generated, taproot',
    network: 'btc',
    address: 'bc1p9cyuceaazr8cz46mvgkzl94wy397mwpqsrk84su37t72jvkg6wzqv52nfp',
    message: 'TPIZPITUIHEUHO5ACOL6W6MBVD',
    signature: 'AUBay6NwR4LEYedkTG+vE9F7C0RTOCB5NH6ZAqf+3hudjHIkOzSZk1jW/5Kt0wRKX3llJ25os+0qktdou4/Y8516',
    method: 'bip322',
  },
  {
    from: 'BIP 322, taproot without a prefix',
    network: 'btc',
    address: 'bc1pss0zhytly75awhm6x2hhvd5lnzv3vssgrf9axfheq8ldyzn88ges79fler',
    message: 'No prefix fallback',
    signature: 'AUCJYOwOjxYAvatTAGYaVlNXBVyFuc4MwNQkOuK2tl8xhfKDONd0NjfYyNSYcRqeCp8hsAnCEPHAVEkO9h6vbQ/R',
    method: 'bip322',
  },
  {
    from: 'bitcoinjs-message, a long key’s address',
    network: 'btc',
    address: '16UwLL9Risc3QfPqBUvKofHmBQ7wMtjvM',
    message: 'vires is numeris',
    signature: 'G8JawPtQOrybrSP1WHQnQPr67B9S3qrxBrl1mlzoTJOSHEpmnF7D3+t+LX0Xei9J20B5AIdPbeL3AaTBZ4N3bY0=',
    method: 'bip137',
  },
  {
    from: 'bitcoinjs-message, a short key’s address',
    network: 'btc',
    address: '1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs',
    message: 'vires is numeris',
    signature: 'H8JawPtQOrybrSP1WHQnQPr67B9S3qrxBrl1mlzoTJOSHEpmnF7D3+t+LX0Xei9J20B5AIdPbeL3AaTBZ4N3bY0=',
    method: 'bip137',
  },
  {
    from: 'bitcoinjs-message, a wrapped key’s address',
    network: 'btc',
    address: '3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN',
    message: 'vires is numeris',
    signature: 'JF8nHqFr3K2UKYahhX3soVeoW8W1ECNbr0wfck7lzyXjCS5Q16Ek45zyBuy1Fiy9sTPKVgsqqOuPvbycuVSSVl8=',
    method: 'bip137',
  },
  {
    from: 'bitcoinjs-message, a segwit address',
    network: 'btc',
    address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    message: 'vires is numeris',
    signature: 'KF8nHqFr3K2UKYahhX3soVeoW8W1ECNbr0wfck7lzyXjCS5Q16Ek45zyBuy1Fiy9sTPKVgsqqOuPvbycuVSSVl8=',
    method: 'bip137',
  },
  {
    from: 'web3.js, eth.accounts.sign',
    network: 'eth',
    address: '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23',
    message: 'Some data',
    signature:
      '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
    method: 'eip191',
  },
  {
    from: 'wallet-core, TRON message signer',
    network: 'usdt-trc20',
    address: 'TWWb9EjUWai17YEVB7FR8hreupYJKG9sMR',
    message: 'Hello World',
    signature:
      'bc0753c070cc55693097df11bc11e1a7c4bd5e1a40b9dc94c75568e59bcc9d6b50a7873ef25b469e494490a54de37327b4bc7fc825c81a377b555e34fb7261ba1c',
    method: 'tip191',
  },
  {
    from: 'wallet-core, a longer message',
    network: 'usdt-trc20',
    address: 'TWWb9EjUWai17YEVB7FR8hreupYJKG9sMR',
    message: 'A much longer message to test the signing and verification process',
    signature:
      '93aee5f753cf889e0749c74dd0c5996cce889883ae079e09ede462e16d65d06a4f43d1ed2745e9f3c1690695628269bd58f057a4a93953cc50e66b4a05bc0f451b',
    method: 'tip191',
  },
]
