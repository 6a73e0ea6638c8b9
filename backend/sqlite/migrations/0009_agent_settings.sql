-- How an agent is served beyond its functions, as JSON: model, visibility,
-- transports, commission, prices.
ALTER TABLE agents ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
