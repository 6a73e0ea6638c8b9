export default async (ctx) => {
  const { city } = ctx.toolCall.params;
  const response = await ctx.fetch(`https://api.example.com/weather?city=${encodeURIComponent(city)}`, { timeoutMs: 3000 });
  if (!response.ok) throw new Error(`no weather for ${city}: the service answered ${response.status}`);
  const { celsius, sky } = await response.json();
  return { city, celsius, fahrenheit: Math.round(celsius * 1.8 + 32), sky };
};
