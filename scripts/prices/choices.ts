/** Which list to use if the two disagree, by `provider/model`; genai-prices by default. */
export const choices: Readonly<Record<string, 'litellm' | 'genai-prices'>> = {
  // Both names serve V3.2 since September 2025, at 0.28 and 0.42 dollars; genai-prices has the prices of V3 and R1.
  'deepseek/deepseek-chat': 'litellm',
  'deepseek/deepseek-reasoner': 'litellm',
}
