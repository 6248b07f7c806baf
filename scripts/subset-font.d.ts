// The package has no types.
declare module 'subset-font' {
  export type VariationAxes = Record<string, number | { min: number; max: number; default?: number }>

  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options?: {
      targetFormat?: 'sfnt' | 'woff' | 'woff2' | 'truetype'
      variationAxes?: VariationAxes
      keepFeatures?: string[]
      noHinting?: boolean
    },
  ): Promise<Uint8Array>
}
