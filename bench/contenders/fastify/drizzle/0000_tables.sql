CREATE TABLE `api_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `educations` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`institution` text NOT NULL,
	`institution_url` text NOT NULL,
	`study_level` text NOT NULL,
	`field_of_study` text NOT NULL,
	`start_date` integer NOT NULL,
	`end_date` integer NOT NULL,
	`is_current` integer NOT NULL,
	`description` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `educations_by_user` ON `educations` (`user_id`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`title` text NOT NULL,
	`start_date` integer NOT NULL,
	`end_date` integer,
	`is_current` integer NOT NULL,
	`is_public` integer NOT NULL,
	`company_name` text NOT NULL,
	`technologies` text NOT NULL,
	`description` text NOT NULL,
	`is_remote` integer NOT NULL,
	`company_url` text NOT NULL,
	`listing_id` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `jobs_by_user` ON `jobs` (`user_id`);--> statement-breakpoint
CREATE TABLE `link_trees` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`slug` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `link_trees_slug_unique` ON `link_trees` (`slug`);--> statement-breakpoint
CREATE INDEX `link_trees_by_user` ON `link_trees` (`user_id`);--> statement-breakpoint
CREATE TABLE `links` (
	`id` text PRIMARY KEY NOT NULL,
	`link_tree_id` text NOT NULL,
	`position` integer NOT NULL,
	`label` text NOT NULL,
	`url` text NOT NULL,
	FOREIGN KEY (`link_tree_id`) REFERENCES `link_trees`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `links_by_tree` ON `links` (`link_tree_id`,`position`);--> statement-breakpoint
CREATE TABLE `profiles` (
	`user_id` text PRIMARY KEY NOT NULL,
	`updated_at` integer NOT NULL,
	`is_public` integer NOT NULL,
	`slug` text NOT NULL,
	`name` text,
	`name_is_public` integer NOT NULL,
	`avatar_url` text,
	`avatar_url_is_public` integer NOT NULL,
	`phone` text,
	`phone_is_public` integer NOT NULL,
	`url` text,
	`url_is_public` integer NOT NULL,
	`summary` text,
	`summary_is_public` integer NOT NULL,
	`location` text,
	`location_is_public` integer NOT NULL,
	`codehost_url` text,
	`codehost_url_is_public` integer NOT NULL,
	`socialnetwork_url` text,
	`socialnetwork_url_is_public` integer NOT NULL,
	`microblog_url` text,
	`microblog_url_is_public` integer NOT NULL,
	`professionalnetwork_url` text,
	`professionalnetwork_url_is_public` integer NOT NULL,
	`video_url` text,
	`video_url_is_public` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `profiles_slug_unique` ON `profiles` (`slug`);--> statement-breakpoint
CREATE TABLE `projects` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`title` text NOT NULL,
	`short_description` text NOT NULL,
	`technologies` text NOT NULL,
	`is_current` integer NOT NULL,
	`is_remote` integer NOT NULL,
	`is_open_source` integer NOT NULL,
	`description` text,
	`role` text NOT NULL,
	`start_date` integer NOT NULL,
	`end_date` integer,
	`repo_url` text NOT NULL,
	`demo_url` text,
	`job_id` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `projects_by_user` ON `projects` (`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`codehost_id` integer NOT NULL,
	`email` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);