import { Clock, Coins, FolderOpen, Hammer, Hand, Globe, KeySquare, ListChecks, MessagesSquare, Sparkles, Users, Webhook, type LucideIcon } from 'lucide-react';

/** What each sample is about, at a glance. */
const icons: Readonly<Record<string, LucideIcon>> = {
  hello: Hand,
  'webhook-hmac': Webhook,
  'chat-agent': MessagesSquare,
  'nightly-cron': Clock,
  'paid-tool': Coins,
  website: Globe,
  visitors: Users,
  'rest-api': ListChecks,
  oauth: KeySquare,
  tools: Hammer,
  files: FolderOpen,
};

export const iconOf = (sample: string): LucideIcon => icons[sample] ?? Sparkles;
